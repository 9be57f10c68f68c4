import { useState } from 'react';
import { useToast } from '../../../shared/ui/toast/useToast';
import type { JobView } from '../../api/admin';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { ClearDialog } from './ClearDialog';
import { deletedRows, failureOf, words, type Kind } from './clearing';
import { ClearingProgress, ProgressDialog } from './ProgressDialog';
import { useClearingJobs } from './useClearingJobs';

interface Props {
  title: string;
  kinds: Kind[];
  /** Settings tells of a failure in a toast too; the dashboard's card only where it happened. */
  announcesFailures?: boolean;
}

export function ClearData({ title, kinds, announcesFailures = false }: Props) {
  const [asking, setAsking] = useState<Kind>();
  const [failures, setFailures] = useState<Partial<Record<Kind, string>>>({});
  const toast = useToast();
  const { jobOf, follow } = useClearingJobs(kinds, end);

  function end(kind: Kind, job: JobView) {
    const { done, failed } = words[kind];
    if (job.state === 'completed') {
      toast({ title: done, description: `Deleted: ${deletedRows(kind, job)}.` });
      setAsking((asked) => (asked === kind ? undefined : asked));
      return;
    }
    setFailures((all) => ({ ...all, [kind]: failureOf(kind, job) }));
    if (announcesFailures) toast({ ...failed, tone: 'bad' });
  }

  function started(kind: Kind, jobId: number) {
    setFailures((all) => ({ ...all, [kind]: undefined }));
    follow(jobId, kind);
  }

  const close = () => setAsking(undefined);
  const asked = asking && jobOf(asking);
  return (
    <Card title={title} note="Cleared data can't be restored.">
      <ul className="clearing">
        {kinds.map((kind) => {
          const running = jobOf(kind);
          const { button, means } = words[kind];
          return (
            <li key={kind}>
              <p className="quiet-text">{means}</p>
              <Button onClick={() => setAsking(kind)}>{button}</Button>
              {running && asking !== kind && <ClearingProgress label={button} job={running.job} />}
              {failures[kind] && asking !== kind && <p role="alert">{failures[kind]}</p>}
            </li>
          );
        })}
      </ul>
      {asking && asked && (
        <ProgressDialog title={words[asking].button} job={asked.job} onClose={close} />
      )}
      {asking && !asked && (
        <ClearDialog
          kind={asking}
          announcesFailures={announcesFailures}
          failure={failures[asking]}
          onStarted={(jobId) => started(asking, jobId)}
          onClose={close}
        />
      )}
    </Card>
  );
}
