import { Comment } from './comments/index.js';
import { Menu, MenuItem } from './menus/index.js';
import { NotFoundEntry } from './not-found-log/index.js';
import { Redirect } from './redirects/index.js';
import { Collection, Field } from './schema/index.js';
import { Section } from './sections/index.js';
import { Setting } from './settings/index.js';
import { Taxonomy, TaxonomyDefinition } from './taxonomies/index.js';
import { Term, TermGroup } from './terms/index.js';
import { Widget, WidgetArea } from './widgets/index.js';

/** Fixed tables that are read and written as TypeORM entities. */
export const contentEntities = [
  Collection,
  Comment,
  Field,
  Menu,
  MenuItem,
  NotFoundEntry,
  Redirect,
  Section,
  Setting,
  Taxonomy,
  TaxonomyDefinition,
  Term,
  TermGroup,
  Widget,
  WidgetArea,
];
