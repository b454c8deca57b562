import autocannon from 'autocannon';

/**
 * Sends one kind of request for a while over keep-alive connections.
 * @param {object} options
 * @param {() => { method?: string, path: string, body?: string }} options.next the next request
 * @returns {Promise<{ rate: number, p50: number, p99: number, count: number }>} requests a second, milliseconds
 * @throws when an answer is not 2xx
 */
export async function load({ label, origin, headers, next, seconds, connections }) {
  const instance = autocannon({
    url: origin,
    connections,
    duration: seconds,
    headers,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  let failure;
  instance.on('response', (client, status) => {
    if (status >= 300) failure ??= status;
  });
  const result = await instance;
  if (failure || result.errors > 0)
    throw new Error(`${label}: answered ${failure ?? `${result.errors} errors`}`);
  return {
    rate: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    count: result.requests.total,
  };
}
