import type { AuditTarget } from '@quire/audit';
import type { Context } from '@quire/context';
import type { GatewayRules, OperationRights, RequiredScope } from '@quire/operation';
import type { z } from 'zod';

/** Hints of the protocol for clients. An absent hint is not sent. */
export interface ToolAnnotations {
  /** True for a tool that changes nothing: it also works while writes of the site are blocked. */
  readOnlyHint?: true;
  /** Whether the tool may delete or replace stored values. */
  destructiveHint?: boolean;
}

interface ToolOptions<Input extends z.ZodObject> {
  /** Unique in the installation: `content_get`. */
  name: string;
  title: string;
  /** The function, requirements and result of the tool, for a model that chooses one. Under 2,048 characters. */
  description: string;
  annotations?: ToolAnnotations;
  /** The scope of the operation unless given. */
  scope?: RequiredScope;
  /**
   * Decides on the call of a token without the scope, in place of INSUFFICIENT_SCOPE: returns for an allowed one. The
   * role is checked before.
   */
  withoutScope?: (ctx: Context, input: z.output<Input>) => Promise<void>;
  /** Arguments, each with a description. Clients read it as JSON Schema. */
  input: Input;
  /**
   * True when the handler gets the JSON text of the arguments beside the parsed ones: its numbers may exceed the
   * precision of JavaScript.
   */
  keepsArgumentsText?: boolean;
  /** The object of a writing call, for the audit log; absent where the arguments name none. */
  target?: (input: z.output<Input>) => AuditTarget;
}

/** What a tool has of the operation that it calls. */
export type ToolOperation = OperationRights & Pick<Partial<GatewayRules>, 'timeoutSeconds'>;

/** A declared tool of the MCP server. */
export interface ToolDeclaration<Input extends z.ZodObject = z.ZodObject>
  extends ToolOptions<Input>, ToolOperation {
  scope: RequiredScope;
  annotations: ToolAnnotations;
}

/** The parsed arguments of a tool, for its handler. */
export type ToolInputOf<Declaration> =
  Declaration extends ToolDeclaration<infer Input> ? z.output<Input> : never;

const maxNameLength = 48;
const maxDescriptionLength = 2_047;

/**
 * Declares a tool with the permission, scope and time limit of the operation that it calls (spec document 2).
 * `inputSchemaOf` checks the schema of its arguments when the tables of tools are generated.
 * @throws Error for a name or description that clients reject, or an operation without a scope.
 */
export function declareTool<Input extends z.ZodObject>(
  operation: ToolOperation,
  options: ToolOptions<Input>,
): ToolDeclaration<Input> {
  const { access, reauthentication, timeoutSeconds } = operation;
  const scope = options.scope ?? operation.scope;
  const { name, description, annotations = {} } = options;
  if (scope === null) throw new Error(`${name}: a tool requires a scope`);
  if (access === 'session' || access === 'internal' || access === 'delegated')
    throw new Error(`${name}: a token may not call the operation`);
  if (!/^[a-z][a-z0-9_]*$/.test(name) || name.length > maxNameLength)
    throw new Error(
      `${name}: the name of a tool has a-z, 0-9 and _, and ${maxNameLength} characters at most`,
    );
  if (description.length > maxDescriptionLength) throw new Error(`${name}: the description is too long`);
  return {
    ...options,
    // The guard does not check the scope of a public operation.
    access: access === 'public' ? 'signed-in' : access,
    scope,
    annotations,
    ...(reauthentication === undefined ? {} : { reauthentication }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  };
}
