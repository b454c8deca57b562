import { describe, expect, it } from '@jest/globals';
import { isStoreFailure } from './store-errors.js';

const failure = (message: string, fields: { code?: string; name?: string } = {}) =>
  Object.assign(new Error(message), fields);

describe('isStoreFailure', () => {
  it.each([
    ['a refused connection', failure('connect ECONNREFUSED 127.0.0.1:6379', { code: 'ECONNREFUSED' })],
    ['a lost connection of Redis', failure('Connection is closed.')],
    ['exhausted retries of Redis', failure('Reached the max retries', { name: 'MaxRetriesPerRequestError' })],
    ['a silent Redis', failure('Command timed out')],
    ['a replica of Redis', failure("READONLY You can't write against a read only replica.")],
    ['a full Redis', failure("OOM command not allowed when used memory > 'maxmemory'.")],
    ['a starting Redis', failure('LOADING Redis is loading the dataset in memory')],
    [
      'a cluster whose nodes name each other',
      failure('Too many Cluster redirections. Last error: MOVED 1 a:1'),
    ],
    ['a cluster without a node', failure('None of startup nodes is available')],
    ['a cluster with lost slots', failure('CLUSTERDOWN Hash slot not served')],
    ['a silent PostgreSQL', failure('Query read timeout')],
    ['a full pool', failure('timeout exceeded when trying to connect')],
    ['a PostgreSQL that shuts down', failure('terminating connection', { code: '57P01' })],
    ['a replica of PostgreSQL', failure('cannot execute INSERT', { code: '25006' })],
    ['a missing right', failure('permission denied', { code: '42501' })],
    ['a deadlock', failure('deadlock detected', { code: '40P01' })],
  ])('is true for %s', (_, error) => expect(isStoreFailure(error)).toBe(true));

  it.each([
    ['text that jsonb does not store', failure('unsupported Unicode escape sequence', { code: '22P05' })],
    ['a value that exceeds a limit', failure('index row size exceeds maximum', { code: '54000' })],
    ['an id that BullMQ does not accept', failure('Custom Id cannot contain :')],
    ['a value that Redis does not accept', failure('ERR string exceeds maximum allowed size')],
  ])('is false for %s', (_, error) => expect(isStoreFailure(error)).toBe(false));
});
