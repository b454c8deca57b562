import type { ArgumentsHost } from '@nestjs/common';
import { expect, it, jest } from '@jest/globals';
import { QuireError } from '@quire/errors';
import type { Logger } from '@quire/observability';
import { envelopeOnly } from '../errors/error-renderer.js';
import { EnvelopeFilter } from './error-filter.js';

it.each([
  ['a limit of the site as a warning', new QuireError('STORAGE_QUOTA_EXCEEDED', 'Full'), 507, 'warn'],
  [
    'a deadlock as a warning, and asks to retry',
    Object.assign(new Error('deadlock detected'), { code: '40P01' }),
    503,
    'warn',
  ],
  ['an unknown failure as an error', new Error('Unknown'), 500, 'error'],
  [
    'a full store as an error',
    new QuireError('STORAGE_QUOTA_EXCEEDED', 'Full', { cause: new Error('ENOSPC') }),
    507,
    'error',
  ],
] as const)('EnvelopeFilter logs %s', (_, error, status, level) => {
  const logger = { warn: jest.fn(), error: jest.fn() };
  const raw = { complete: true, headers: {} };
  const request = { raw, url: '/a', method: 'POST', headers: {}, routeOptions: {} };
  const sent = { status: 0 };
  const reply = {
    request,
    status: (status: number) => Object.assign(reply, { sent: Object.assign(sent, { status }) }),
    type: () => reply,
    headers: () => reply,
    send: () => reply,
  };
  const http = { getRequest: () => request, getResponse: () => reply };
  const filter = new EnvelopeFilter(logger as unknown as Logger, envelopeOnly);
  filter.catch(error, { switchToHttp: () => http } as unknown as ArgumentsHost);
  expect(sent.status).toBe(status);
  expect(logger[level]).toHaveBeenCalledTimes(1);
  expect(logger[level === 'warn' ? 'error' : 'warn']).not.toHaveBeenCalled();
});
