/** Calls of the API: the CSRF token, for whom the page was made, one error shape, and which failures are worth another
 * try. */

const TIMEOUT = 30000;
// Browsers refuse larger bodies (64 KiB of UTF-8) with `keepalive`.
const KEEPALIVE_LIMIT = 15000;

/** @import { ErrorDetail } from "../../types/wire" */

/** What the API, or the way to it, answered instead of a result. */
class ApiError extends Error {
  /**
   * @param {string} message
   * @param {Partial<ErrorDetail> & { code: string, status?: number, retriable?: boolean }} what
   */
  constructor(message, { code, status = 0, retriable = false, theirs, mine, fields = {} }) {
    super(message);
    this.code = code;
    this.status = status;
    // Whether the same request is worth another try.
    this.retriable = retriable;
    this.theirs = theirs;
    this.mine = mine;
    this.fields = fields;
  }
}

/**
 * A JSON request. Resolves with the answer's JSON, rejects with an ApiError.
 *
 * @param {string} method
 * @param {string} url
 * @param {unknown} body
 * @param {Record<string, string>} messages `network`, `server` and `signedOut`
 * @returns {Promise<any>}
 */
export async function request(method, url, body, messages) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  let response;
  try {
    response = await fetch(url, {
      method,
      credentials: "same-origin",
      headers: {
        Accept: "application/json",
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...madeFor(),
        ...(method === "GET" ? {} : { "X-CSRFToken": cookie(document.body.dataset.csrfCookie ?? "") }),
      },
      body: text,
      // Lets what is saved while the page is being left still arrive.
      keepalive: method !== "GET" && (text?.length ?? 0) < KEEPALIVE_LIMIT,
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch {
    throw new ApiError(messages.network, { code: "network", retriable: true });
  }
  const data = await json(response);
  if (response.ok && data !== null) return data;
  const error = data?.error ?? {};
  const { status } = response;
  if (status === 401 || error.code === "not_authenticated" || response.redirected) {
    throw new ApiError(messages.signedOut, { code: "not_authenticated", status, retriable: true });
  }
  if (error.code === "other_user") {
    // They may come back: what was done here is kept.
    throw new ApiError(error.message, { code: error.code, status, retriable: true });
  }
  // Without the API's own words it was not the API that answered.
  const retriable = status >= 500 || status === 429 || status === 408 || !error.message;
  throw new ApiError(error.message ?? messages.server, { ...error, code: error.code ?? "server", status, retriable });
}

/**
 * The header that says for whom the page was made: in another tab somebody else may have signed in since.
 *
 * @returns {Record<string, string>}
 */
export function madeFor() {
  const { madeFor } = document.body.dataset;
  return madeFor ? { "X-Made-For": madeFor } : {};
}

/** @param {Response} response */
async function json(response) {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** @param {string} name */
function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}
