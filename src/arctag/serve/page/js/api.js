// The service, as functions. Addresses are relative, so that the page also works behind a path of a proxy.
const BUSY = 503;
const TRIES = 3;

/** An error answer of the service, with its message. */
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
  const body = await response.json().catch(() => ({}));
  const failure = new ServiceError(body.error || `The service answered ${response.status}.`, response.status);
  failure.retryAfter = Number(response.headers.get("Retry-After")) || 1;
  throw failure;
}

/** The answer to GET. */
export async function get(path) {
  return (await answer(path, {})).json();
}

/** The answer to POST; a busy service is asked again after the time it names. */
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

/** Wait, unless the signal aborts. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("aborted", "AbortError"));
    }, { once: true });
  });
}
