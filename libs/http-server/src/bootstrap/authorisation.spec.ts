import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  clientAddressHeader,
  deriveInternalKeys,
  getRequestIdentity,
  internalTokenHeader,
  InternalTokenSigner,
  InternalTokenVerifier,
  originHeader,
  requestIdHeader,
  systemActor,
} from '@quire/context';
import { attachInternalIdentity } from './authorisation.js';

const keys = deriveInternalKeys(['a secret of at least thirty-two characters'], ['media']);
const verifier = new InternalTokenVerifier(keys);
const principal = systemActor({ id: 'a', database: null }, 'system:media');
const path = '/_cms/api/internal/content/file-types';

function signed(keysOfSigner = keys): string {
  return new InternalTokenSigner(keysOfSigner).sign('media', principal, {
    service: 'content',
    method: 'POST',
    path,
  });
}

function requestWith(headers: Record<string, string>, url = path): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { method: 'POST', url, headers });
}

describe('attachInternalIdentity', () => {
  it('attaches the principal of the token and the origin of the request', () => {
    const request = requestWith({
      [internalTokenHeader]: signed(),
      [requestIdHeader]: 'r',
      [clientAddressHeader]: '192.0.2.1',
      [originHeader]: 'https://a.example',
    });
    expect(attachInternalIdentity(request, { service: 'content', verifier })).toBe(true);
    expect(getRequestIdentity(request)).toEqual({
      principal,
      requestId: 'r',
      clientAddress: '192.0.2.1',
      origin: 'https://a.example',
    });
  });

  it.each([
    ['no token', requestWith({}), 'content'],
    ['an invalid token', requestWith({ [internalTokenHeader]: 'x' }), 'content'],
    [
      'a token of other keys',
      requestWith({
        [internalTokenHeader]: signed(deriveInternalKeys(['another secret, long enough'], ['media'])),
      }),
      'content',
    ],
    [
      'a token for another path',
      requestWith({ [internalTokenHeader]: signed() }, '/_cms/api/internal/x'),
      'content',
    ],
    ['a token for another service', requestWith({ [internalTokenHeader]: signed() }), 'auth'],
  ])('attaches nothing for %s', (_, request, service) => {
    expect(attachInternalIdentity(request, { service, verifier })).toBe(false);
    expect(getRequestIdentity(request)).toBeUndefined();
  });
});
