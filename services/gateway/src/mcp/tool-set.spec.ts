import { describe, expect, it } from '@jest/globals';
import type { GeneratedTool } from './generated-tool.js';
import { createToolSet } from './tool-set.js';

const tool: GeneratedTool = {
  service: 'media',
  title: 'Upload',
  description: 'Uploads {maxUploadBytes} bytes at most.',
  scope: 'media:write',
  annotations: { destructiveHint: false },
  inputSchema: {
    type: 'object',
    properties: { file: { type: 'string', description: 'Base64 of {maxUploadBytes} bytes at most' } },
  },
};

describe('createToolSet', () => {
  const set = createToolSet({ maxUploadBytes: 123 }, { b: tool, a: { ...tool, annotations: {} } });
  const list = JSON.parse(set.listText) as Record<string, unknown>[];

  it('lists what clients need of each tool, in the order of the table', () => {
    expect(list.map(({ name }) => name)).toEqual(['b', 'a']);
    expect(Object.keys(list[0] ?? {}).sort()).toEqual([
      'annotations',
      'description',
      'inputSchema',
      'name',
      'title',
    ]);
  });

  it('sends no annotations where there are none', () => {
    expect(list[1]).not.toHaveProperty('annotations');
  });

  it('replaces the limits of the installation in all texts', () => {
    expect(set.listText).not.toContain('{maxUploadBytes}');
    expect(list[0]).toMatchObject({
      description: 'Uploads 123 bytes at most.',
      inputSchema: { properties: { file: { description: 'Base64 of 123 bytes at most' } } },
    });
  });

  it.each(['toString', '__proto__', 'constructor', 'c', ''])('finds no tool %j', (name) => {
    expect(set.find(name)).toBeUndefined();
  });

  it('finds its tools', () => {
    expect(set.find('a')).toMatchObject({ service: 'media' });
  });
});

describe('the tools of the services', () => {
  it('have unique names in alphabetical order', () => {
    const { listText } = createToolSet({ maxUploadBytes: 1 });
    const names = (JSON.parse(listText) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
  });
});
