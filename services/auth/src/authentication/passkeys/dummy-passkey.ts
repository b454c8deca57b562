import { generateKeyPairSync } from 'node:crypto';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x = '', y = '' } = publicKey.export({ format: 'jwk' });

/** A COSE key (EC2, ES256, P-256) whose private key is discarded. */
const coseKey = Buffer.concat([
  Buffer.from('a5010203262001215820', 'hex'),
  Buffer.from(x, 'base64url'),
  Buffer.from('225820', 'hex'),
  Buffer.from(y, 'base64url'),
]);

/** Verified against when there is no passkey, so that a missing one takes as long as a wrong signature. */
export const dummyPasskey = {
  id: '',
  credentialId: 'AA',
  userId: '',
  publicKey: coseKey,
  counter: 0,
  role: 0,
};
