import type { RequestIdentity } from '@quire/context';
import { invalidInput, QuireError, unexpectedError } from '@quire/errors';
import type { Logger, Metrics } from '@quire/observability';
import type { ServiceUpstream } from '@quire/service-client';
import { inSpan, traceIdOf } from '@quire/tracing';
import type { GeneratedTool } from './generated-tool.js';
import { isObject, RpcError, rpcCode, type RpcMessage } from './json-rpc.js';
import { toToolFailure, type ToolFailure } from './tool-failure.js';
import type { ToolSet } from './tool-set.js';

/** The request that a call is part of. */
export interface ToolRequest {
  identity: RequestIdentity;
  /** @returns the received JSON text of the arguments; undefined where it is not available */
  argumentsText: () => string | undefined;
}

export interface CallParams {
  name: string;
  arguments: unknown;
}

/** The result of a call: the text of its only block, and the failure that it describes. */
export interface ToolOutcome {
  text: string;
  failure?: Pick<ToolFailure, 'code' | 'details'>;
}

/** The parameters of `tools/call`. @throws RpcError */
export function callParamsOf({ name, arguments: given = {} }: RpcMessage['params']): CallParams {
  if (typeof name === 'string') return { name, arguments: given };
  throw new RpcError(rpcCode.invalidParams, 'Invalid params: name must be a string', 200);
}

export interface ToolCallerDeps {
  tools: ToolSet;
  /** Every service by name. */
  upstreams: ReadonlyMap<string, ServiceUpstream>;
  logger: Logger;
  metrics: Metrics;
}

/** Calls tools in the services that have them. */
export class ToolCaller {
  private readonly durations;

  constructor(private readonly deps: ToolCallerDeps) {
    this.durations = deps.metrics.histogram('quire_mcp_tool_call_duration_seconds');
  }

  /**
   * Calls a tool. Failures of the tool are outcomes (contract 2.1).
   * @throws RpcError for an unknown tool
   */
  async call({ name, arguments: given }: CallParams, request: ToolRequest): Promise<ToolOutcome> {
    const tool = this.deps.tools.find(name);
    if (!tool) throw new RpcError(rpcCode.invalidParams, `Unknown tool: ${name.slice(0, 100)}`, 200);
    const startedAt = performance.now();
    const record = (outcome: string) =>
      this.durations.observe({ tool: name, outcome }, (performance.now() - startedAt) / 1000);
    try {
      const text = await this.execute(tool, { name, given, request });
      record('success');
      return { text };
    } catch (error) {
      const known = this.knownError(error, name, request.identity);
      const { text, ...failure } = toToolFailure(known, { name, ...tool });
      record(failure.code);
      return { text, failure };
    }
  }

  private execute(
    { service, title, annotations, keepsArgumentsText, timeoutSeconds }: GeneratedTool,
    { name, given, request }: { name: string; given: unknown; request: ToolRequest },
  ): Promise<string> {
    if (!isObject(given)) throw invalidInput([{ path: 'arguments', message: 'must be an object' }]);
    const upstream = this.deps.upstreams.get(service);
    if (!upstream) throw new QuireError('SERVICE_UNAVAILABLE', `${title} is not part of this installation`);
    const argumentsText = keepsArgumentsText ? request.argumentsText() : undefined;
    const call = { tool: name, arguments: given, argumentsText };
    const isSafe = annotations.readOnlyHint === true;
    const { identity } = request;
    const attributes = {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'quire.service': service,
      'quire.tenant': identity.principal.tenant.id,
    };
    return inSpan(`tools/call ${name}`, { kind: 'client', parent: identity.trace, attributes }, (trace) =>
      upstream.callTool({ ...identity, trace }, call, { timeoutSeconds, isSafe }),
    );
  }

  /** The error for the client: an unexpected one is logged, and its cause stays in the log. */
  private knownError(error: unknown, tool: string, identity: RequestIdentity): QuireError {
    if (error instanceof QuireError && error.status !== 500) return error;
    const { requestId, principal, trace } = identity;
    const traceId = trace && traceIdOf(trace);
    this.deps.logger.error(
      { requestId, traceId, tenant: principal.tenant.id, tool, err: error },
      'tool call failed',
    );
    return error instanceof QuireError && error.code !== 'INTERNAL_ERROR'
      ? error
      : unexpectedError(requestId);
  }
}
