// The service, as functions. Addresses are relative, so that the page also works behind a path of a proxy.
const BUSY = 503;
const TRIES = 3;

/** What the service refused, with its own line of explanation. */
class ServiceError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "ServiceError";
    this.status = status;
  }
}

async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServiceError("The service does not answer. Is `arctag serve` still running?", 0);
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  const failure = new ServiceError(told.error || `The service answered ${response.status}.`, response.status);
  failure.retryAfter = Number(response.headers.get("Retry-After")) || 1;
  throw failure;
}

/** What GET gives. */
export async function get(path) {
  return (await answer(path, {})).json();
}

/** What POST gives; a busy service is asked again after the time it names. */
export async function post(path, body, signal) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (await answer(path, options)).json();
    } catch (error) {
      if (error.status !== BUSY || attempt === TRIES) throw error;
      await pause(error.retryAfter * 1000, signal);
    }
  }
}

/** Wait, unless the signal says that nobody waits any longer. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("no longer wanted", "AbortError"));
    }, { once: true });
  });
}
