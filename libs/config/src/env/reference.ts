import type { z } from 'zod';
import { variables, type VariableName } from './variables.js';

/** Returns the Markdown table of all variables. A test compares it with docs/variables.md. */
export function variableReference(): string {
  const rows = (Object.keys(variables) as VariableName[]).map((name) => {
    const [schema, meta] = variables[name];
    const preset = (schema as z.ZodType).safeParse(undefined);
    const fallback = preset.success && preset.data !== undefined ? `\`${String(preset.data)}\`` : '';
    const secret = 'sensitive' in meta && meta.sensitive ? ' (secret)' : '';
    return `| \`${name}\` | ${fallback} | ${meta.description}${secret} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows, ''].join('\n');
}
