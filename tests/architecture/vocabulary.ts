import { basename } from 'node:path';
import ts from 'typescript';

/** Words of a name: `maxSourceLines` and `max-source-lines` are max, source and lines. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
}

/** A migration is named after the name that databases store, which never changes. */
const migrationFile = /\/migrations\/(?:tenant|shared)\//;

/** Names that a file declares: of functions, classes, types, members and top-level variables; and the file's name. */
export function namesGivenBy(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const names = migrationFile.test(path)
    ? []
    : path.split('/').map((part) => basename(part).replace(/\..*$/, ''));
  const add = (name: ts.Node | undefined) => {
    if (name && ts.isIdentifier(name)) names.push(name.text);
  };
  const visit = (node: ts.Node): void => {
    if (isNamed(node)) add(node.name);
    if (ts.isVariableStatement(node) && node.parent === source)
      for (const { name } of node.declarationList.declarations) add(name);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function isNamed(node: ts.Node): node is ts.Node & { name?: ts.Node } {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node)
  );
}
