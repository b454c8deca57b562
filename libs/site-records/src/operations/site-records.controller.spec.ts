import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { recordOwners, siteRecords } from '@quire/internal-api';
import { declarationOf, operationsOf } from '@quire/operation';
import { siteRecordsController, type SiteRecordsOperations } from './site-records.controller.js';

const names = Object.keys(siteRecords.content) as (keyof SiteRecordsOperations)[];
const called: unknown[] = [];
const fencingTokens = {
  accept: <Scope extends object>(ctx: Scope, token: number) => Promise.resolve({ ...ctx, token }),
};
const operations = Object.fromEntries(
  names.map((name) => [
    name,
    (...given: unknown[]) => {
      called.push([name, ...given]);
      return Promise.resolve({});
    },
  ]),
) as unknown as SiteRecordsOperations;

describe('siteRecordsController', () => {
  it.each(recordOwners)('handles the operations of %s by those of the service', async (owner) => {
    @Controller()
    class OwnController extends siteRecordsController(owner, fencingTokens) {
      constructor() {
        super(operations);
      }
    }
    const declarations = Object.values(siteRecords[owner]);
    expect(new Set(operationsOf(OwnController))).toEqual(new Set(declarations));
    const handlers = new OwnController() as unknown as Record<string, (...given: unknown[]) => unknown>;
    const ctx = {} as Context;
    for (const name of names) {
      called.length = 0;
      expect(declarationOf(handlers[name] ?? (() => undefined))).toBe(siteRecords[owner][name]);
      const body = name === 'inspect' ? undefined : { operationId: name, fencingToken: 7 };
      await handlers[name]?.(ctx, { body });
      const isFenced = name === 'clear' || name === 'write';
      expect(called).toEqual([[name, isFenced ? { token: 7 } : {}, body]]);
    }
  });
});
