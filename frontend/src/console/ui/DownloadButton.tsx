import type { ReactNode } from 'react';
import { asApiError } from '../../shared/api/apiError';
import { saveFile } from '../lib/saveFile';
import { Button } from './Button';
import { Icon } from './Icon';

interface Props {
  /** What the file is called on disk. */
  fileName: string;
  /** Asks the server for the file's text; undefined when it did not come. */
  fetchFile: () => PromiseLike<{ data?: string | undefined }>;
  isLoading: boolean;
  error: unknown;
  children: ReactNode;
}

/** Saves an answer of the server as a file, and says beside itself when that failed. */
export function DownloadButton({ fileName, fetchFile, isLoading, error, children }: Props) {
  async function save() {
    const { data } = await fetchFile();
    if (data !== undefined) saveFile(fileName, data);
  }
  return (
    <>
      <p className="stale" role="status">
        {error !== undefined && `Not exported. ${asApiError(error).sentence}`}
      </p>
      <Button busy={isLoading} onClick={() => void save()}>
        <Icon name="table" />
        {isLoading ? 'Exporting...' : children}
      </Button>
    </>
  );
}
