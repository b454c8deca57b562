import { Resolver } from 'node:dns/promises';
import { guardedFetch, type GuardedFetch } from '@quire/outgoing-http';

/** No document of the protocol comes near this. */
const maxBytes = 256 * 1024;
const requestMs = 5_000;
/** Limit of all requests of one step of a login together; the user's browser waits for them. */
const stepMs = 15_000;

/** What a login reaches the world with. */
export interface Network {
  fetch: GuardedFetch;
  /** The texts at a name, each in the chunks it was sent in. Rejects when there are none. */
  resolveTxt: (name: string) => Promise<string[][]>;
  /** Origin of the directory that holds the documents of did:plc. */
  plcDirectory: string;
}

/** The Internet, without what is not public of it. */
export function createNetwork(): Network {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return {
    fetch: guardedFetch({ timeoutMs: requestMs, maxBytes }),
    resolveTxt: (name) => resolver.resolveTxt(name),
    plcDirectory: 'https://plc.directory',
  };
}

/** The same network for one step of a login, at whose end everything still under way is given up. */
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
