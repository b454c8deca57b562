import { Menu, MenuItem } from './site/menus/index.js';
import { NotFoundEntry } from './site/not-found-log/index.js';
import { Redirect } from './site/redirects/index.js';
import { resourceEntities } from './content.module.js';
import { Setting } from './site/settings/index.js';
import { Taxonomy, TaxonomyDefinition } from './taxonomies/definitions/index.js';
import { Term, TermGroup } from './taxonomies/terms/index.js';
import { Widget, WidgetArea } from './site/widgets/index.js';

/** Fixed tables that are read and written as TypeORM entities. */
export const contentEntities = [
  Menu,
  MenuItem,
  NotFoundEntry,
  Redirect,
  ...resourceEntities,
  Setting,
  Taxonomy,
  TaxonomyDefinition,
  Term,
  TermGroup,
  Widget,
  WidgetArea,
];
