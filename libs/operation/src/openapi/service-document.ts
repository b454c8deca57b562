import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { describePendingOperations } from './describe.js';
import { referredComponents } from './schemas.js';

/**
 * The part of the OpenAPI document that one service contributes, built from its declarations.
 * @param tags descriptions of the tags of its operations, by name
 */
export function serviceDocument(
  app: INestApplication,
  tags: Readonly<Record<string, string>> = {},
): OpenAPIObject {
  const base = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
  describePendingOperations();
  const document = SwaggerModule.createDocument(app, base);
  return {
    ...document,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    components: { ...document.components, schemas: referredComponents(document.paths) as never },
  };
}
