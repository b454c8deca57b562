/** Permanent id of an account: `did:plc:…` or `did:web:<host>`. */
export type Did = `did:${'plc' | 'web'}:${string}`;

/** An account name as entered by a user. */
export type AccountName = { kind: 'handle'; handle: string } | { kind: 'did'; did: Did };

const handleLength = 253;
const hostname = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Domains that the protocol excludes from handles: they are not names of the public Internet. */
const noHandlesBelow = /\.(?:alt|arpa|example|internal|invalid|local|localhost|onion)$/;

const plc = /^did:plc:[a-z2-7]{24}$/;

/** Invisible characters, which are often copied with a handle. */
const invisible = /\p{Cf}/gu;

/** Whether the text, in lower case, is a handle: a public domain name of two labels at least. */
export function isHandle(text: string): boolean {
  return text.length <= handleLength && hostname.test(text) && !noHandlesBelow.test(text);
}

/** Whether the text is a DID of a supported method; did:web is supported for whole hosts only. */
export function isDid(text: string): text is Did {
  return plc.test(text) || (text.startsWith('did:web:') && isHandle(text.slice('did:web:'.length)));
}

/**
 * Parses user input: a handle, with or without `@`, in any case, or a DID. Addresses of servers are not accepted.
 * @returns undefined for any other input
 */
export function readAccountName(typed: string): AccountName | undefined {
  const text = typed.replace(invisible, '').trim();
  if (isDid(text)) return { kind: 'did', did: text };
  const handle = text.replace(/^@/, '').toLowerCase();
  return isHandle(handle) ? { kind: 'handle', handle } : undefined;
}
