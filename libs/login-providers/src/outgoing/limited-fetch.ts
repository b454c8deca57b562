/** How much of somebody else's server Quire puts up with. */
export interface FetchLimits {
  /** Until the whole response is there. */
  timeoutMs: number;
  /** Of the response's body, unpacked. */
  bytes: number;
}

/**
 * A `fetch` for servers that are not ours: it gives up on slow and on huge answers, and follows no redirects.
 * @returns a function that rejects beyond the limits, and as `fetch` does.
 */
export function limitedFetch({ timeoutMs, bytes }: FetchLimits): typeof globalThis.fetch {
  return async (input, init) => {
    const own = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([own, init.signal]) : own;
    const response = await fetch(input, { ...init, redirect: 'manual', signal });
    const body = await readLimited(response, bytes);
    const { status, statusText, headers } = response;
    return new Response(body.length > 0 ? body : null, { status, statusText, headers });
  };
}

async function readLimited({ body }: Response, limit: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels what is still to come.
    if (size > limit) throw new Error(`The response is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
