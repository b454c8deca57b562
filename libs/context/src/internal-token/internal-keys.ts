import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { Secrets } from './secrets.js';

/** The service that may sign for any caller. */
export const gatewayIssuer = 'gateway';

/** Ed25519 keys of internal tokens, by the service that signs with them. */
export interface InternalKeys {
  /** Private keys of this process. */
  privateKeys: ReadonlyMap<string, KeyObject>;
  /** Keys that this process trusts. A service has two while its key is being replaced. */
  publicKeys: ReadonlyMap<string, readonly KeyObject[]>;
}

/** DER of a PKCS #8 Ed25519 private key up to its 32 bytes (RFC 8410). */
const privateKeyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
/** DER of an SPKI Ed25519 public key up to its 32 bytes (RFC 8410). */
const publicKeyPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const keyBytes = 32;

/**
 * Derives the keys of all services from the secrets, so that targets need no other setting to trust one another. Every
 * process with a secret can sign for every service; only separate keys isolate the services.
 */
export function deriveInternalKeys(secrets: Secrets, services: readonly string[]): InternalKeys {
  const [current] = secrets;
  return {
    privateKeys: new Map(services.map((service) => [service, derivePrivateKey(current, service)])),
    publicKeys: new Map(
      services.map((service) => [
        service,
        secrets.map((secret) => createPublicKey(derivePrivateKey(secret, service))),
      ]),
    ),
  };
}

/**
 * Reads keys as `generateInternalKeys` writes them.
 * @throws TypeError for a key that is not 32 bytes in base64url
 */
export function readInternalKeys(texts: {
  privateKeys: readonly (readonly [service: string, key: string])[];
  publicKeys: readonly (readonly [service: string, key: string])[];
}): InternalKeys {
  const publicKeys = new Map<string, KeyObject[]>();
  for (const [service, text] of texts.publicKeys) {
    const key = createPublicKey({ key: derOf(publicKeyPrefix, text), format: 'der', type: 'spki' });
    publicKeys.set(service, [...(publicKeys.get(service) ?? []), key]);
  }
  const privateKeys = new Map(
    texts.privateKeys.map(([service, text]) => [service, toPrivateKey(derOf(privateKeyPrefix, text))]),
  );
  return { privateKeys, publicKeys };
}

/** Generates a key pair. @returns both keys as 32 bytes in base64url */
export function generateInternalKeyPair(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const lastBytes = (der: Buffer) => der.subarray(-keyBytes).toString('base64url');
  return {
    privateKey: lastBytes(privateKey.export({ format: 'der', type: 'pkcs8' })),
    publicKey: lastBytes(publicKey.export({ format: 'der', type: 'spki' })),
  };
}

function derivePrivateKey(secret: string, service: string): KeyObject {
  const seed = hkdfSync('sha256', secret, '', `quire internal token: ${service}`, keyBytes);
  return toPrivateKey(Buffer.concat([privateKeyPrefix, Buffer.from(seed)]));
}

function toPrivateKey(der: Buffer): KeyObject {
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

function derOf(prefix: Buffer, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== keyBytes) throw new TypeError('An internal key has 32 bytes in base64url');
  return Buffer.concat([prefix, bytes]);
}
