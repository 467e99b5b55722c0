// @ts-check
// The service, as functions. Addresses are relative, so that the page also works behind a path of a proxy.
const BUSY = 503;
const TRIES = 3;

/** Called with true when the service answers, and with false when it does not. @type {Set<(reached: boolean) => void>} */
const listeners = new Set();

/** Have a function called whenever the service was reached, or was not. @param {(reached: boolean) => void} listener */
export function onReached(listener) {
  listeners.add(listener);
}

/** @param {boolean} reached */
function report(reached) {
  for (const listener of listeners) listener(reached);
}

/** An error answer of the service, with its message; a status of 0 means that there was no answer. */
export class ServiceError extends Error {
  /** @param {string} message @param {number} status @param {number} [retryAfter] */
  constructor(message, status, retryAfter = 1) {
    super(message);
    this.name = "ServiceError";
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The message of whatever was thrown. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Whether work was given up on purpose. @param {unknown} error */
export function isAbort(error) {
  return error instanceof Error && error.name === "AbortError";
}

/** @param {string} path @param {RequestInit} options */
async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (isAbort(error)) throw error;
    report(false);
    throw new ServiceError("The service does not answer. Is `arctag serve` still running?", 0);
  }
  report(true);
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new ServiceError(body.error || `The service answered ${response.status}.`, response.status, Number(response.headers.get("Retry-After")) || 1);
}

/** The answer to GET. @param {string} path */
export async function get(path) {
  return (await answer(path, {})).json();
}

/** A file of the service. @param {string} path @param {string} name */
export async function getFile(path, name) {
  return new File([await (await answer(path, {})).blob()], name);
}

/**
 * The answer to POST; a busy service is asked again after the time it names.
 *
 * @param {string} path @param {object} body @param {AbortSignal} [signal]
 */
export async function post(path, body, signal) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (await answer(path, options)).json();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== BUSY || attempt === TRIES) throw error;
      await pause(error.retryAfter * 1000, signal);
    }
  }
}

/** Wait, unless the signal aborts. @param {number} milliseconds @param {AbortSignal} [signal] @returns {Promise<void>} */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("aborted", "AbortError"));
    }, { once: true });
  });
}
