import type { ToolAnnotations } from '@quire/mcp-tools';

/** A tool of a service, as the gateway knows it. */
export interface GeneratedTool {
  /** The service that executes it: "content". */
  service: string;
  title: string;
  description: string;
  /** A scope, or several of which one suffices. */
  scope: string | readonly string[];
  annotations: ToolAnnotations;
  inputSchema: object;
  keepsArgumentsText?: true;
  /** Seconds until the result, where the default is not enough. */
  timeoutSeconds?: number;
}

/** The tools of all services by name, in the order of the list. */
export type GeneratedTools = Readonly<Record<string, GeneratedTool>>;
