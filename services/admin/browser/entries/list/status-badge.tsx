import { AlarmClock, CalendarClock, CircleCheck, CircleDashed, PencilLine, Trash2 } from 'lucide-react';
import { useMessages } from '../../locales/messages.js';
import type { TimeFormatters } from '../../time/formatters.js';
import { Badge, type BadgeTone } from '../../ui/badge.js';
import { statusWords, type StatusFacts, type StatusKind } from './entry-status.js';

const looks: Readonly<Record<StatusKind, readonly [BadgeTone, typeof Trash2]>> = {
  draft: ['neutral', CircleDashed],
  published: ['done', CircleCheck],
  changed: ['warn', PencilLine],
  scheduled: ['info', CalendarClock],
  overdue: ['danger', AlarmClock],
  trash: ['neutral', Trash2],
};

/** The status of an entry, in words and with an icon. */
export function StatusBadge({ row, times }: { row: StatusFacts; times: TimeFormatters }) {
  const t = useMessages();
  const { kind, message, at, hasTime = false } = statusWords(row);
  const [tone, Icon] = looks[kind];
  const date = at === undefined ? '' : hasTime ? times.moment(at) : times.day(at);
  return (
    <Badge tone={tone} icon={<Icon aria-hidden size={14} />}>
      {t(message, { date })}
    </Badge>
  );
}
