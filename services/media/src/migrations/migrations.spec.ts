import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { tableDrift } from '@quire/testing';
import { mediaEntities } from '../media.module.js';
import { mediaTables } from './index.js';

it('the migrations of the media service create the tables of its entities (design 5)', async () => {
  expect(await tableDrift('media', mediaTables, mediaEntities)).toEqual([]);
});
