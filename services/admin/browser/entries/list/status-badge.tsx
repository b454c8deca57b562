import { AlarmClock, CalendarClock, CircleCheck, CircleDashed, PencilLine, Trash2 } from 'lucide-react';
import { useMessages } from '../../locales/messages.js';
import { Badge, type BadgeTone } from '../../ui/badge.js';
import { statusWords, type Row, type StatusKind } from './entry-status.js';
import { useListContext } from './list-context.js';

const looks: Readonly<Record<StatusKind, readonly [BadgeTone, typeof Trash2]>> = {
  draft: ['neutral', CircleDashed],
  published: ['done', CircleCheck],
  changed: ['warn', PencilLine],
  scheduled: ['info', CalendarClock],
  overdue: ['danger', AlarmClock],
  trash: ['neutral', Trash2],
};

/** The status of an entry, in words and with an icon. */
export function StatusBadge({ row }: { row: Row }) {
  const t = useMessages();
  const { times } = useListContext();
  const { kind, message, at, hasTime = false } = statusWords(row);
  const [tone, Icon] = looks[kind];
  const date = at === undefined ? '' : hasTime ? times.moment(at) : times.day(at);
  return (
    <Badge tone={tone} icon={<Icon aria-hidden size={14} />}>
      {t(message, { date })}
    </Badge>
  );
}
