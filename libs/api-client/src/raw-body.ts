/** A body that is sent unchanged, in place of JSON: a form or bytes. */
export type RawBody = Blob | FormData | ArrayBuffer | ReadableStream<Uint8Array>;

const rawTypes = [Blob, FormData, ArrayBuffer, ReadableStream];

/** Whether a body is sent unchanged. */
export function isRawBody(body: unknown): body is RawBody {
  return rawTypes.some((type) => body instanceof type);
}
