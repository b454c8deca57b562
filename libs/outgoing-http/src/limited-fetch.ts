/** Limits on the response of a server outside the installation. */
export interface FetchLimits {
  /** From the start of the request to the end of the response. */
  timeoutMs: number;
  /** Bytes of the response body after decompression. */
  maxBytes: number;
}

/**
 * Creates a `fetch` for configured servers: login providers, the captcha. It rejects slow and large responses and
 * follows no redirects. It does not check addresses; URLs that users provide use `guardedFetch`.
 * @returns a function that rejects beyond the limits, and as `fetch` does
 */
export function limitedFetch({ timeoutMs, maxBytes }: FetchLimits): typeof globalThis.fetch {
  return async (input, init) => {
    const own = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([own, init.signal]) : own;
    const response = await fetch(input, { ...init, redirect: 'manual', signal });
    const body = await readLimited(response, maxBytes);
    const { status, statusText, headers } = response;
    return new Response(body.length > 0 ? body : null, { status, statusText, headers });
  };
}

async function readLimited({ body }: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the rest of the body.
    if (size > maxBytes) throw new Error(`The response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
