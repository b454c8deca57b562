import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { tableDrift } from '@quire/testing';
import { transferEntities } from '../transfer.module.js';
import { transferTables } from './index.js';

it('the migrations of the transfer service create the tables of its entities (design 5)', async () => {
  expect(await tableDrift('transfer', transferTables, transferEntities)).toEqual([]);
});
