import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { declareOperation } from '../declare/declaration.js';
import { Operation } from '../declare/operation.decorator.js';
import { serviceDocument } from './service-document.js';

const named = z.object({ name: z.string() }).meta({ id: 'OnlyInternal' });
const declare = (id: string, rest: object = {}) =>
  declareOperation({
    id,
    method: 'GET',
    path: id,
    summary: id,
    tag: 'Test',
    access: 'signed-in',
    scope: null,
    response: z.object({}),
    ...rest,
  });

@Controller()
class TestController {
  @Operation(declare('documented'))
  documented() {}

  @Operation(declare('undocumented', { isDocumented: false, response: named }))
  undocumented() {}

  @Operation(declare('page', { isDocumented: false, envelope: false }))
  page() {}

  @Operation(declare('betweenServices', { isDocumented: false, access: 'internal' }))
  betweenServices() {}
}

@Module({ controllers: [TestController] })
class TestModule {}

it('has the undocumented operations of the API only on request, and marks them', async () => {
  const app = await NestFactory.create(TestModule, new FastifyAdapter(), { logger: false });
  const internal = serviceDocument(app, {}, { includesUndocumented: true });
  const documented = serviceDocument(app);
  expect(Object.keys(documented.paths)).toEqual(['/documented']);
  expect(Object.keys(documented.components?.schemas ?? {})).not.toContain('OnlyInternal');
  expect(Object.keys(internal.paths)).toEqual(['/documented', '/undocumented']);
  expect(internal.paths['/undocumented']?.get).toMatchObject({ 'x-internal': true });
  expect(internal.paths['/documented']?.get).not.toHaveProperty('x-internal');
  expect(internal.components?.schemas).toHaveProperty('OnlyInternal');
  await app.close();
});
