import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { cbor, type CborValue } from './cbor.js';

/** Options of a browser for the registration of a passkey. */
export interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

/** Options of a browser for a sign-in. */
export interface RequestOptions {
  challenge: string;
  rpId: string;
}

/** A page that uses the authenticator, and the behaviour of its user and the authenticator. */
export interface Ceremony {
  /** Origin of the page. */
  origin: string;
  /** Signed host name, if it differs from that of the options. */
  rpId?: string;
  /** Signed challenge, if it differs from that of the options. */
  challenge?: string;
  /** Signature counter. */
  counter?: number;
  /** Whether the user touched it. */
  isUserPresent?: boolean;
  /** False when it required neither PIN nor biometrics. */
  isUserVerified?: boolean;
}

interface Key {
  privateKey: KeyObject;
  userHandle: string;
  counter: number;
}

export type RegistrationResponse = ReturnType<SoftwareAuthenticator['register']>;
export type LoginResponse = ReturnType<SoftwareAuthenticator['logIn']>;

const userPresent = 0x01;
const userVerified = 0x04;
const attestedData = 0x40;

/** An authenticator without a device: creates ES256 passkeys with `none` attestation, and signs with them. */
export class SoftwareAuthenticator {
  private readonly keys = new Map<string, Key>();

  /** Ids of its passkeys, in the order of their registration. */
  get credentialIds(): string[] {
    return [...this.keys.keys()];
  }

  /** Registers a passkey. @param credentialId an id to use again, instead of a new one */
  register(
    options: CreationOptions,
    ceremony: Ceremony,
    credentialId = randomBytes(32).toString('base64url'),
  ) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const counter = ceremony.counter ?? 0;
    this.keys.set(credentialId, { privateKey, userHandle: options.user.id, counter });
    const coseKey = cbor(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const name = Buffer.from(credentialId, 'base64url');
    const authData = Buffer.concat([
      authenticatorData(ceremony.rpId ?? options.rp.id, counter, flagsOf(ceremony) | attestedData),
      Buffer.alloc(16),
      Buffer.from([name.length >> 8, name.length & 0xff]),
      name,
      coseKey,
    ]);
    const attestation = new Map<string, CborValue>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, CborValue>()],
      ['authData', authData],
    ]);
    return {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', options, ceremony).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Signs in with one of its passkeys. @param credentialId the first one unless given */
  logIn(options: RequestOptions, ceremony: Ceremony, credentialId = this.credentialIds[0]) {
    const key = this.keys.get(credentialId ?? '');
    if (!key || credentialId === undefined) throw new Error('The authenticator has no such passkey');
    key.counter = ceremony.counter ?? (key.counter === 0 ? 0 : key.counter + 1);
    const data = clientData('webauthn.get', options, ceremony);
    const authData = authenticatorData(ceremony.rpId ?? options.rpId, key.counter, flagsOf(ceremony));
    const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
    return {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, key.privateKey).toString('base64url'),
        userHandle: key.userHandle,
      },
    };
  }
}

function flagsOf({ isUserPresent = true, isUserVerified = true }: Ceremony): number {
  if (!isUserPresent) return 0;
  return isUserVerified ? userPresent | userVerified : userPresent;
}

function authenticatorData(rpId: string, counter: number, flags: number): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flags);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
}

function clientData(type: string, options: { challenge: string }, ceremony: Ceremony): Buffer {
  const { origin, challenge = options.challenge } = ceremony;
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
