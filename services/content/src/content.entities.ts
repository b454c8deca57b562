import { Comment } from './comments/index.js';
import { Byline, BylineField, BylineGroup } from './bylines/index.js';
import { NotFoundEntry } from './site/not-found-log/index.js';
import { Redirect } from './site/redirects/index.js';
import { Collection, Field } from './schema/index.js';
import { resourceEntities } from './content.module.js';
import { Setting } from './site/settings/index.js';
import { Taxonomy, TaxonomyDefinition } from './taxonomies/definitions/index.js';
import { Term, TermGroup } from './taxonomies/terms/index.js';

/** Fixed tables that are read and written as TypeORM entities. */
export const contentEntities = [
  Byline,
  BylineField,
  BylineGroup,
  Collection,
  Comment,
  Field,
  NotFoundEntry,
  Redirect,
  ...resourceEntities,
  Setting,
  Taxonomy,
  TaxonomyDefinition,
  Term,
  TermGroup,
];
