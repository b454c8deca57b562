import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { tableDrift } from '@quire/testing';
import { contentEntities } from '../content.module.js';
import { contentTables } from './index.js';

it('the migrations of the content service create the tables that its entities describe (design 5)', async () => {
  expect(await tableDrift('content', contentTables, contentEntities)).toEqual([]);
});
