import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { deriveInternalKeys, InternalTokenVerifier, type Context } from '@quire/context';
import { createLogger } from '@quire/observability';
import { declareOperation, Operation } from '@quire/operation';
import { z } from 'zod';
import { createServiceApp } from './service-app.js';

const probe = declareOperation({
  id: 'probe',
  method: 'GET',
  path: 'probe',
  summary: 'Probe',
  tag: 'Content',
  access: 'public',
  scope: null,
  response: z.unknown(),
});
const options = {
  service: 'probe',
  tags: { Content: 'Probes' },
  logger: createLogger({ level: 'silent', targets: ['spec'] }),
  verifier: new InternalTokenVerifier(deriveInternalKeys(['a secret of at least thirty-two characters'], [])),
  tenantDatabase: () => ({}) as Context['db'],
};

describe('operation declarations at boot', () => {
  it('throw for a route without a declaration', async () => {
    @Controller()
    class Bare {
      @Get('bare')
      bare() {
        return 'open to all?';
      }
    }
    @Module({ controllers: [Bare] })
    class BareModule {}
    await expect(createServiceApp({ ...options, module: BareModule })).rejects.toThrow(
      'Bare.bare is a route without an operation declaration',
    );
  });

  it('throw for an inherited route without a declaration', async () => {
    class Base {
      @Get('bare')
      bare() {
        return 'open to all?';
      }
    }
    @Controller()
    class Derived extends Base {}
    @Module({ controllers: [Derived] })
    class DerivedModule {}
    await expect(createServiceApp({ ...options, module: DerivedModule })).rejects.toThrow(
      'Derived.bare is a route without an operation declaration',
    );
  });

  it('throw for two operations with one id', async () => {
    @Controller()
    class Twice {
      @Operation(probe)
      one() {
        return 1;
      }

      @Operation({ ...probe, path: 'probe/other' })
      two() {
        return 2;
      }
    }
    @Module({ controllers: [Twice] })
    class TwiceModule {}
    await expect(createServiceApp({ ...options, module: TwiceModule })).rejects.toThrow(
      'Duplicate operation id probe',
    );
  });

  it('throw for a documented operation whose tag has no description', async () => {
    @Controller()
    class Undescribed {
      @Operation({ ...probe, tag: 'Other' })
      one() {
        return 1;
      }
    }
    @Module({ controllers: [Undescribed] })
    class UndescribedModule {}
    await expect(createServiceApp({ ...options, module: UndescribedModule })).rejects.toThrow(
      'probe: the tag Other has no description',
    );
  });
});
