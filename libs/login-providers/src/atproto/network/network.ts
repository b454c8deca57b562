import { Resolver } from 'node:dns/promises';
import { guardedFetch, type GuardedFetch } from '@quire/outgoing-http';

/** Far above the size of any document of the protocol. */
const maxBytes = 256 * 1024;
const requestMs = 5_000;
/** Time limit of all requests of one step of a login; the user's browser waits for them. */
const stepMs = 15_000;

/** The network access of a login. */
export interface Network {
  fetch: GuardedFetch;
  /** The TXT records of a name, each in its chunks. Rejects when there are none. */
  resolveTxt: (name: string) => Promise<string[][]>;
  /** Origin of the did:plc directory. */
  plcDirectory: string;
}

/** The public Internet. */
export function createNetwork(): Network {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return {
    fetch: guardedFetch({ timeoutMs: requestMs, maxBytes }),
    resolveTxt: (name) => resolver.resolveTxt(name),
    plcDirectory: 'https://plc.directory',
  };
}

/** The same network for one step of a login: its requests are aborted at the step's deadline. */
export function withDeadline(network: Network): Network {
  const end = AbortSignal.timeout(stepMs);
  return {
    ...network,
    fetch: (url, request = {}) => {
      const signal = request.signal ? AbortSignal.any([request.signal, end]) : end;
      return network.fetch(url, { ...request, signal });
    },
  };
}
