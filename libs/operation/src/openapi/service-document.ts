import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { describePendingOperations, undocumentedMark } from './describe.js';
import { referredComponents } from './schemas.js';

/**
 * The part of the OpenAPI document that one service contributes, built from its declarations.
 * @param tags descriptions of the tags of its operations, by name
 * @param options.includesUndocumented whether it has the undocumented operations too, marked with `x-internal`
 */
export function serviceDocument(
  app: INestApplication,
  tags: Readonly<Record<string, string>> = {},
  { includesUndocumented = false }: { includesUndocumented?: boolean } = {},
): OpenAPIObject {
  const base = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
  describePendingOperations();
  const document = SwaggerModule.createDocument(app, base);
  const paths = includesUndocumented ? document.paths : documentedOnly(document.paths);
  return {
    ...document,
    paths,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    components: { ...document.components, schemas: referredComponents(paths) as never },
  };
}

function documentedOnly(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const documented = Object.entries(paths).map(([path, operations]) => {
    const kept = Object.entries(operations).filter(
      ([, operation]) => !(undocumentedMark in (operation as object)),
    );
    return [path, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(documented.filter(([, operations]) => Object.keys(operations).length > 0));
}
