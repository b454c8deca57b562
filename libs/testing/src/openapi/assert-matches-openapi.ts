import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { request } from 'undici';
import type { TestSystem } from '../site/test-system.js';

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

interface ReceivedResponse {
  method: string;
  path: string;
  status: number;
  body: unknown;
}

interface OpenApiValidator {
  document: Document;
  routes: { pattern: RegExp; literals: number; operations: Record<string, Operation> }[];
  ajv: Ajv2020;
  compiled: Map<string, ValidateFunction>;
}

const documentId = 'quire:openapi';
/** Undocumented routes that match the path of a documented one, such as `/redirects/{id}`. */
const undocumentedPaths = new Set(['/_cms/api/redirects/resolve', '/_cms/api/media/providers']);
let openApiValidator: Promise<OpenApiValidator> | undefined;

/**
 * Checks a response against the OpenAPI document: its status must be declared and its body must match the schema.
 * Routes that are not in the document are skipped.
 */
export async function assertMatchesOpenApi(
  system: Pick<TestSystem, 'origin'>,
  host: string,
  response: ReceivedResponse,
): Promise<void> {
  const { routes, ajv, compiled } = await (openApiValidator ??= loadOpenApiValidator(system, host));
  const path = response.path.split('?', 1)[0] ?? '';
  if (undocumentedPaths.has(path)) return;
  const matching = routes
    .filter(({ pattern }) => pattern.test(path))
    .sort((left, right) => right.literals - left.literals);
  const operation = matching[0]?.operations[response.method.toLowerCase()];
  if (!operation) return;
  const label = `${operation.operationId} ${response.status}`;
  const declared = operation.responses[String(response.status)];
  if (declared && isWithoutJson(declared)) return;
  const schema = declared?.content?.['application/json']?.schema;
  if (!schema)
    throw new Error(`The OpenAPI document does not declare ${label}: ${JSON.stringify(response.body)}`);
  let validate = compiled.get(label);
  if (!validate) compiled.set(label, (validate = ajv.compile(rebased(schema))));
  if (!validate(response.body)) {
    throw new Error(
      `${label} does not match the OpenAPI document: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(response.body)}`,
    );
  }
}

/** A response with the bytes of a file, or without a body. */
function isWithoutJson({ content }: Operation['responses'][string]): boolean {
  return content === undefined || !Object.hasOwn(content, 'application/json');
}

async function loadOpenApiValidator(
  { origin }: Pick<TestSystem, 'origin'>,
  host: string,
): Promise<OpenApiValidator> {
  const response = await request(`${origin}/_cms/api/openapi.json`, { headers: { host } });
  const document = (await response.body.json()) as Document;
  // Another suite checks the document against the standard.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: documentId, components: document.components });
  const routes = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: patternOf(path),
    literals: path.split('/').filter((segment) => !segment.startsWith('{')).length,
    operations,
  }));
  return { document, routes, ajv, compiled: new Map() };
}

/** The addresses of a path. `{path}` is the rest of the address, with slashes. */
function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.]/g, '\\.').replace('{path}', '.+');
  return new RegExp(`^${escaped.replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

function rebased(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', `"${documentId}#/components/`),
  ) as object;
}
