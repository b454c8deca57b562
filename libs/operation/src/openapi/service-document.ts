import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { referredComponents } from './schemas.js';

/** The part of the OpenAPI document that one service contributes, built from its declarations. */
export function serviceDocument(app: INestApplication): OpenAPIObject {
  const base = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
  const document = SwaggerModule.createDocument(app, base);
  return {
    ...document,
    components: { ...document.components, schemas: referredComponents(document.paths) as never },
  };
}
