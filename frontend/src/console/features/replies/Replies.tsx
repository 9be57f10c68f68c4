import { useState } from 'react';
import { useListRepliesQuery, type ReplyKindView, type ReplyView } from '../../api/sms';
import { useDownload } from '../../api/downloads';
import { today } from '../../../shared/lib/days';
import { formatDateTime } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { anyText, useListState } from '../../lib/useListState';
import { useMay } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { DataList } from '../../ui/DataList';
import { FilterSelect } from '../../ui/FilterSelect';
import { SearchField } from '../../ui/SearchField';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { PersonLink } from '../../ui/PersonLink';
import { DecideReply } from './DecideReply';
import { StopNumber } from './StopNumber';

const kindNames: Record<ReplyKindView, string> = {
  message: 'Messages',
  keyword: 'STOP, START and HELP',
  unclear: 'Unclear',
};
const kinds = Object.keys(kindNames) as ReplyKindView[];

/** What people texted to our number. */
export function Replies() {
  const list = useListState({ filters: { kind: kinds, search: anyText } });
  const { limit, offset, filters } = list;
  const replies = useListRepliesQuery(
    { ...filters, limit, offset },
    { refetchOnMountOrArgChange: true }, // replies come in at any time
  );
  const mayExport = useMay('export_lists');
  const mayDecide = useMay('edit_people');
  const [isStopping, setStopping] = useState(false);
  const fetchFile = useDownload('/api/admin/sms/replies/export', filters);
  return (
    <>
      <DataList
        title="Replies"
        note="What people texted to our number, newest first. Unclear replies stand on top until somebody decides."
        actions={
          mayDecide && <Button onClick={() => setStopping(true)}>Stop texts to a number</Button>
        }
        exported={mayExport ? { fileName: `tombola-replies-${today()}.csv`, fetchFile } : undefined}
        filters={
          <>
            <FilterSelect
              label="Kind"
              name="kind"
              all="All replies"
              options={kindNames}
              list={list}
              error={replies.error}
            />
            <SearchField label="Find a text or number" maxLength={80} list={list} />
          </>
        }
        query={replies}
        pageOf={(answer) => ({ rows: answer.replies, total: answer.totalCount })}
        list={list}
        label="replies"
        empty={
          <EmptyState title="No replies yet">What people text back to us appears here.</EmptyState>
        }
        caption="Who replied, what, and when"
        columns={mayDecide ? [...columns, deciding] : columns}
        rowKey={({ id }) => id}
      />
      {isStopping && <StopNumber onClose={() => setStopping(false)} />}
    </>
  );
}

const columns: Column<ReplyView>[] = [
  { key: 'phone', header: 'Phone', cell: ({ phoneNumber }) => maskPhone(phoneNumber) },
  {
    key: 'user',
    header: 'User',
    help: 'The user who had this number when the reply arrived.',
    cell: ({ userId, phoneNumber }) =>
      userId === null ? (
        'None'
      ) : (
        <PersonLink id={userId} phoneNumber={phoneNumber}>
          User {userId}
        </PersonLink>
      ),
  },
  {
    key: 'text',
    header: 'Text',
    help: 'Unclear: it holds a word such as STOP, but may mean something else. It stands on top because texts go on until somebody decides.',
    cell: Text,
  },
  {
    key: 'at',
    header: 'Received',
    time: true,
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
];

/** For those who may stop texts. */
const deciding: Column<ReplyView> = {
  key: 'actions',
  header: 'Decide',
  actions: true,
  cell: (reply) => reply.isUnclear && <DecideReply {...reply} />,
};

function Text({ body, keyword, isUnclear }: ReplyView) {
  return (
    <span className="who">
      <span className="sms-words">{body || <em>No text</em>}</span>
      {isUnclear && <Badge tone="warn">Unclear</Badge>}
      {keyword && !isUnclear && <Badge>{outcomes[keyword]}</Badge>}
    </span>
  );
}

/** What a keyword did. */
const outcomes: Record<NonNullable<ReplyView['keyword']>, string> = {
  stop: 'Opted out',
  start: 'Opted in again',
  help: 'Got help',
};
