import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { tableDrift } from '@quire/testing';
import { authEntities } from '../auth.module.js';
import { authTables } from './index.js';

it('the migrations of the auth service create the tables of its entities (design 5)', async () => {
  expect(await tableDrift('auth', authTables, authEntities)).toEqual([]);
});
