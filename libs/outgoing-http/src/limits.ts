/** A response was longer than the caller's limit. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/** The same response, whose body fails with ResponseTooLargeError once it exceeds `maxBytes`. */
export function limitBody(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let seen = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        seen += chunk.byteLength;
        if (seen > maxBytes) controller.error(new ResponseTooLargeError(`more than ${maxBytes} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
}
