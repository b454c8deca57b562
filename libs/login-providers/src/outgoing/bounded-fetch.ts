/** How much of somebody else's server Quire puts up with. */
export interface FetchBounds {
  /** Until the whole answer is there. */
  milliseconds: number;
  /** Of the answer's body, unpacked. */
  bytes: number;
}

/**
 * A `fetch` for servers that are not ours: it gives up on slow and on huge answers, and follows no redirects.
 * @returns a function that rejects beyond the bounds, and as `fetch` does.
 */
export function boundedFetch({ milliseconds, bytes }: FetchBounds): typeof globalThis.fetch {
  return async (input, init) => {
    const own = AbortSignal.timeout(milliseconds);
    const signal = init?.signal ? AbortSignal.any([own, init.signal]) : own;
    const answer = await fetch(input, { ...init, redirect: 'manual', signal });
    const body = await readAtMost(answer, bytes);
    const { status, statusText, headers } = answer;
    return new Response(body.length > 0 ? body : null, { status, statusText, headers });
  };
}

async function readAtMost({ body }: Response, limit: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels what is still to come.
    if (size > limit) throw new Error(`The answer is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
