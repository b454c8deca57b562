import { createPrivateKey, createPublicKey, diffieHellman, hkdfSync, type KeyObject } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { InternalKeys } from './internal-keys.js';

/** DER of a PKCS #8 X25519 private key up to its 32 bytes (RFC 8410). */
const privateKeyPrefix = Buffer.from('302e020100300506032b656e04220420', 'hex');
/** DER of an SPKI X25519 public key up to its 32 bytes (RFC 8410). */
const publicKeyPrefix = Buffer.from('302a300506032b656e032100', 'hex');
const keyBytes = 32;

/**
 * The keys that the issuer of internal tokens shares with the called service: a message authentication code costs a
 * tenth of a signature. Only the two can compute the key, from the private key of one and the public key of the other
 * (X25519, of their Ed25519 keys). So no other service can sign in the name of the issuer.
 */
export class SharedKeys {
  private readonly known = new Map<string, readonly Buffer[]>();

  constructor(private readonly keys: InternalKeys) {}

  /** The key for tokens that this process issues; undefined without one that the service certainly has too. */
  ofIssuer(issuer: string, service: string): Buffer | undefined {
    const privateKey = this.keys.privateKeys.get(issuer);
    const publicKeys = this.keys.publicKeys.get(service) ?? [];
    // A service whose key is being replaced has the old one or the new one.
    if (!privateKey || publicKeys.length !== 1) return undefined;
    return this.compute(`to ${service} by ${issuer}`, { issuer, service, privateKey, publicKeys })[0];
  }

  /** The keys of tokens for a service of this process, one for each key of the issuer. */
  ofService(issuer: string, service: string): readonly Buffer[] {
    const privateKey = this.keys.privateKeys.get(service);
    const publicKeys = this.keys.publicKeys.get(issuer) ?? [];
    if (!privateKey || publicKeys.length === 0) return [];
    return this.compute(`by ${issuer} to ${service}`, { issuer, service, privateKey, publicKeys });
  }

  private compute(
    id: string,
    {
      issuer,
      service,
      privateKey,
      publicKeys,
    }: { issuer: string; service: string; privateKey: KeyObject; publicKeys: readonly KeyObject[] },
  ): readonly Buffer[] {
    let computed = this.known.get(id);
    if (!computed) {
      const purpose = `quire internal token: ${issuer} to ${service}`;
      computed = publicKeys.map((publicKey) => {
        const secret = diffieHellman({
          privateKey: toAgreementPrivateKey(privateKey),
          publicKey: toAgreementPublicKey(publicKey),
        });
        return Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes));
      });
      this.known.set(id, computed);
    }
    return computed;
  }
}

/** The X25519 key with the scalar of an Ed25519 key. */
function toAgreementPrivateKey(key: KeyObject): KeyObject {
  const seed = key.export({ format: 'der', type: 'pkcs8' }).subarray(-keyBytes);
  const scalar = ed25519.utils.toMontgomerySecret(seed);
  return createPrivateKey({ key: Buffer.concat([privateKeyPrefix, scalar]), format: 'der', type: 'pkcs8' });
}

/** The X25519 key with the same point as an Ed25519 key. */
function toAgreementPublicKey(key: KeyObject): KeyObject {
  const point = key.export({ format: 'der', type: 'spki' }).subarray(-keyBytes);
  const u = ed25519.utils.toMontgomery(point);
  return createPublicKey({ key: Buffer.concat([publicKeyPrefix, u]), format: 'der', type: 'spki' });
}
