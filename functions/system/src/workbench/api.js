/** Where the API is: the page stands beside it, on AWS as on a machine. */
const BASE = "/v1";
/** Milliseconds between two looks at an operation that takes longer than a call may. */
const PAUSE = 1000;

/** A request that was refused or failed, as the API tells it. */
export class Failure extends Error {
  constructor({ code, message, details = [], requestId = null, status = 0 }) {
    super(message);
    Object.assign(this, { code, details, requestId, status });
  }
}

/** The public API, with a key that is in memory only. */
export class Api {
  #key;

  constructor(key) {
    this.#key = key;
  }

  set key(key) {
    this.#key = key;
  }

  get hasKey() {
    return this.#key !== "";
  }

  /** The data of a GET. */
  async read(path) {
    return (await this.#ask("GET", path)).data;
  }

  /** The data of a POST that costs nothing. */
  async post(path, body) {
    return (await this.#ask("POST", path, body)).data;
  }

  /**
   * The result of an AI operation. One that outlasts its call goes on without it, and is waited for here.
   *
   * @param {string} path
   * @param {object} body
   */
  async operate(path, body) {
    const { status, data } = await this.#ask("POST", path, body, { "Idempotency-Key": unique() });
    if (status !== 202) return data;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      const operation = await this.read(`/operations/${encodeURIComponent(data.id)}`);
      if (operation.status === "SUCCEEDED") return operation.result;
      if (operation.status === "FAILED") throw new Failure(operation.error);
      if (operation.status === "CANCELLED") {
        throw new Failure({ code: "cancelled", message: "The operation was cancelled." });
      }
    }
  }

  /**
   * Uploads a file and gives its identifier.
   *
   * @param {File} file
   * @param {string} scope
   */
  async upload(file, scope) {
    const description = { scope, filename: file.name, contentType: file.type, size: file.size };
    const { id, upload } = await this.post("/uploads", description);
    const headers = new Headers(upload.headers);
    // The browser sends the length itself, and lets nobody else name it.
    headers.delete("content-length");
    // Storage is not the API: it gets no key.
    const answer = await reach(upload.url, { method: upload.method, headers, body: file });
    if (!answer.ok) {
      throw new Failure({ code: "upload_failed", message: `The storage answered ${answer.status}.`, status: answer.status });
    }
    await this.post(`/uploads/${encodeURIComponent(id)}/complete`, {});
    return id;
  }

  async #ask(method, path, body, more = {}) {
    const headers = { Accept: "application/json", ...more };
    if (this.#key) headers.Authorization = `Bearer ${this.#key}`;
    if (body) headers["Content-Type"] = "application/json";
    const answer = await reach(BASE + path, { method, headers, body: body && JSON.stringify(body) });
    // What stands before the service, such as API Gateway, has other answers or none.
    const { data, error, requestId, message } = await answer.json().catch(() => ({}));
    if (answer.ok && data) return { status: answer.status, data };
    const { status, statusText } = answer;
    const told = error ?? { code: `http_${status}`, message: message ?? (statusText || "The answer is none of the API's.") };
    throw new Failure({ ...told, requestId, status });
  }
}

async function reach(url, request) {
  try {
    return await fetch(url, { ...request, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" });
  } catch {
    throw new Failure({ code: "unreachable", message: "There is no answer. Is the service still running?" });
  }
}

/** `crypto.randomUUID` is missing where a page has come over plain HTTP from another machine. */
function unique() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
