export {
  fillPlaceholders,
  maxPatternSegments,
  prefixesOf,
  segmentsOf,
  textBeforePlaceholders,
  type Captured,
  type Segment,
} from './patterns.js';
export {
  hasRedirectDestination,
  keyOf,
  redirectProblems,
  redirectTypes,
  sourceKeysOf,
  type RedirectProblem,
  type SourceKeys,
} from './redirect-rule.js';
export { maxPathLength, requestedPath, sourcePath, urlPathProblem, type RequestedPath } from './url-path.js';
