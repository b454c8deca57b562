/** Names an account for ever: `did:plc:…` or `did:web:<host>`. */
export type Did = `did:${'plc' | 'web'}:${string}`;

/** An account name as entered by a user. */
export type AccountName = { kind: 'handle'; handle: string } | { kind: 'did'; did: Did };

const handleLength = 253;
const hostname = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Domains below which the protocol knows no handles: what stands there is no name of the public Internet. */
const noHandlesBelow = /\.(?:alt|arpa|example|internal|invalid|local|localhost|onion)$/;

const plc = /^did:plc:[a-z2-7]{24}$/;

/** Marks that show nothing, which come along when a handle is copied from an application. */
const invisible = /\p{Cf}/gu;

/** Whether the text, in lower case, is a handle: a public domain name of two labels at least. */
export function isHandle(text: string): boolean {
  return text.length <= handleLength && hostname.test(text) && !noHandlesBelow.test(text);
}

/** Whether the text is a DID of a method the protocol has; of did:web only whole hosts are. */
export function isDid(text: string): text is Did {
  return plc.test(text) || (text.startsWith('did:web:') && isHandle(text.slice('did:web:'.length)));
}

/**
 * Reads what was typed: a handle, with or without `@`, in any case, or a DID. Addresses of servers are not taken.
 * @returns undefined for anything else.
 */
export function readAccountName(typed: string): AccountName | undefined {
  const text = typed.replace(invisible, '').trim();
  if (isDid(text)) return { kind: 'did', did: text };
  const handle = text.replace(/^@/, '').toLowerCase();
  return isHandle(handle) ? { kind: 'handle', handle } : undefined;
}
