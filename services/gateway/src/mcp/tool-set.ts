import type { GeneratedTool, GeneratedTools } from './generated-tool.js';
import { tools } from './tools.generated.js';

/** Values of the installation in the descriptions of tools, by the placeholder. */
export interface ToolLimits {
  maxUploadBytes: number;
}

/** The tools that the server offers, with the text of their list. */
export interface ToolSet {
  /** JSON text of the `tools` array, the same for every caller (contract 1). */
  listText: string;
  find(name: string): GeneratedTool | undefined;
}

/** Creates the set of the core tools. */
export function createToolSet(limits: ToolLimits, generated: GeneratedTools = tools): ToolSet {
  const list = Object.entries(generated).map(([name, { title, description, annotations, inputSchema }]) => ({
    name,
    title,
    description,
    inputSchema,
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  }));
  return {
    listText: withLimits(JSON.stringify(list), limits),
    find: (name) => (Object.hasOwn(generated, name) ? generated[name] : undefined),
  };
}

/** Replaces `{maxUploadBytes}` in descriptions: declarations do not know the configuration. */
function withLimits(text: string, limits: ToolLimits): string {
  return Object.entries(limits).reduce(
    (replaced, [name, value]) => replaced.replaceAll(`{${name}}`, String(value)),
    text,
  );
}
