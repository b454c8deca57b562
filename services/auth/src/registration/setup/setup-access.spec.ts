import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { SignInMode } from '../../authentication/sign-in-mode.js';
import { tokenHash } from '../../authentication/api-tokens/index.js';
import { SetupAccess } from './setup-access.js';

const access = new SetupAccess(new SignInMode('passkey'), false);
const progress = { linkHash: tokenHash('right') };
const from = (clientAddress: string | null, origin: string | null) => ({ clientAddress, origin }) as Context;
const elsewhere = from('203.0.113.7', 'https://site.example');

describe('SetupAccess.needsLink', () => {
  it.each([
    ['127.0.0.1', 'http://localhost:4321'],
    ['127.0.0.53', 'http://127.0.0.1:4321'],
    ['::1', 'http://[::1]:4321'],
  ])('is false for a client at %s that requests %s', (clientAddress, origin) => {
    expect(access.needsLink(from(clientAddress, origin), progress, undefined)).toBe(false);
  });

  it.each([
    ['203.0.113.7', 'http://localhost:4321'],
    ['10.0.0.1', 'http://127.0.0.1:4321'],
    [null, 'http://localhost:4321'],
    ['127.0.0.1', 'https://site.example'],
    ['127.0.0.1', 'http://localhost.site.example'],
    ['127.0.0.1', null],
    ['127.0.0.1', 'http://local host'],
    ['::10', 'http://[::1]:4321'],
  ])('is true for a client at %s that requests %s', (clientAddress, origin) => {
    expect(access.needsLink(from(clientAddress, origin), progress, undefined)).toBe(true);
  });

  it('is false with the link, and true with another link or without a created one', () => {
    expect(access.needsLink(elsewhere, progress, 'right')).toBe(false);
    expect(access.needsLink(elsewhere, progress, 'wrong')).toBe(true);
    expect(access.needsLink(elsewhere, { linkHash: null }, 'right')).toBe(true);
  });

  it('is false for every client in an open setup, and behind an edge access proxy', () => {
    const open = new SetupAccess(new SignInMode('passkey'), true);
    const edge = new SetupAccess(new SignInMode('edge-access'), false);
    for (const other of [open, edge]) expect(other.needsLink(elsewhere, progress, undefined)).toBe(false);
  });
});
