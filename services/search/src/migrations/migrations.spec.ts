import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { tableDrift } from '@quire/testing';
import { searchEntities } from '../search.module.js';
import { searchTables } from './index.js';

it('the migrations of the search service create the tables of its entities (design 5)', async () => {
  expect(await tableDrift('search', searchTables, searchEntities)).toEqual([]);
});
