import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import type { ListedTool } from './agent.js';
import { prompts } from './prompts.js';

const shown = 3;

/** The scores of a search for tools, and the prompts whose tool was not among the first. */
export interface ToolSearchScores {
  hitAt1: number;
  hitAt3: number;
  misses: { prompt: string; tool: string; found: string[] }[];
}

/**
 * Searches the list of tools with BM25 over names, titles and descriptions, as clients do that defer the definitions of
 * tools.
 */
export function scoreToolSearch(tools: readonly ListedTool[]): ToolSearchScores {
  const index = new MiniSearch<ListedTool>({
    idField: 'name',
    fields: ['name', 'title', 'description'],
    processTerm: (term) => stemmer(term.toLowerCase()),
  });
  index.addAll(tools);
  const results = prompts.map(([prompt, tool]) => {
    const found = index.search(prompt).slice(0, shown);
    return { prompt, tool, found: found.map(({ id }) => String(id)) };
  });
  const share = (isHit: (result: (typeof results)[number]) => boolean) =>
    results.filter(isHit).length / results.length;
  return {
    hitAt1: share(({ tool, found }) => found[0] === tool),
    hitAt3: share(({ tool, found }) => found.includes(tool)),
    misses: results.filter(({ tool, found }) => !found.includes(tool)),
  };
}
