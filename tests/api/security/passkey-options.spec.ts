import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  ceremonyOf,
  ceremonyOptionsOf,
  openSite,
  SoftwareAuthenticator,
  statusAndCode,
  useSite,
} from '@quire/testing';
import { addressesOf } from './support.js';

interface AllowedCredential {
  type: string;
  id: string;
  transports?: string[];
}

const site = useSite();
const own = new SoftwareAuthenticator();

beforeAll(async () => {
  await addPasskey(site, await site.signedIn('subscriber', 'eve'), own);
  await addPasskey(site, await site.signedIn('editor', 'known'), new SoftwareAuthenticator());
  await site.signedIn('editor', 'keyless');
});

const addressOf = addressesOf(site);
const optionsFor = async (email: string, at = site) =>
  ceremonyOptionsOf(await at.anonymous().post('/auth/passkey/options', { email })) as {
    challenge: string;
    rpId: string;
    allowCredentials: AllowedCredential[];
  };
const credentialsFor = async (email: string, at = site) => (await optionsFor(email, at)).allowCredentials;

describe('POST /auth/passkey/options with an address (decision 56)', () => {
  it.each(['known', 'keyless', 'nobody'])('returns credentials of the same shape for %s', async (name) => {
    const options = await optionsFor(addressOf(name));
    expect(Object.keys(options)).toEqual([
      'challenge',
      'rpId',
      'timeout',
      'userVerification',
      'allowCredentials',
    ]);
    expect(options.allowCredentials.length).toBeGreaterThan(0);
    for (const offered of options.allowCredentials) {
      expect(Object.keys(offered)).toEqual(['type', 'id', 'transports']);
      expect(offered.type).toBe('public-key');
      expect(offered.id).toMatch(/^[\w-]{20,}$/);
    }
  });

  it.each(['keyless', 'nobody'])('returns the same credentials for %s in any spelling', async (name) => {
    const first = await credentialsFor(addressOf(name));
    expect(await credentialsFor(` ${addressOf(name).toUpperCase()} `)).toEqual(first);
  });

  it('returns other credentials for another address and on another site', async () => {
    const other = await openSite();
    const all = [
      await credentialsFor('nobody@x.example'),
      await credentialsFor('nobody2@x.example'),
      await credentialsFor('nobody@x.example', other),
    ];
    const ids = all.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    await other.close();
  });

  it.each(['known', 'keyless', 'nobody'])(
    'returns a challenge for %s that the passkey of another user does not satisfy',
    async (name) => {
      const { challenge, rpId } = await optionsFor(addressOf(name));
      const credential = own.logIn({ challenge, rpId }, ceremonyOf(site));
      const response = await site.anonymous().post('/auth/passkey/verify', { credential });
      expect(statusAndCode(response)).toEqual([401, 'UNAUTHORIZED']);
    },
  );

  it('returns the same error for a forged signature of a real and an invented credential', async () => {
    const responses = [];
    for (const name of ['known', 'nobody']) {
      const { challenge, rpId, allowCredentials } = await optionsFor(addressOf(name));
      const { response } = own.logIn({ challenge, rpId }, ceremonyOf(site));
      const id = allowCredentials[0]?.id;
      const credential = {
        id,
        rawId: id,
        type: 'public-key',
        response: { ...response, userHandle: undefined },
      };
      const { status, body } = await site.anonymous().post('/auth/passkey/verify', { credential });
      responses.push({ status, body });
    }
    expect(responses[0]).toEqual(responses[1]);
  });
});
