import { useState } from 'react';
import { asApiError } from '../../shared/api/apiError';
import { saveFile } from '../lib/saveFile';
import { Button } from './Button';
import { Icon } from './Icon';

export interface ExportedFile {
  /** What the file is called on disk. */
  fileName: string;
  /** The file's text, or why there is none. */
  fetchFile: () => PromiseLike<{ data?: string | undefined; error?: unknown }>;
}

/** Saves a list as a file for spreadsheets: every row that matches, also those of other pages. */
export function ExportButton({ fileName, fetchFile }: ExportedFile) {
  const [isExporting, setExporting] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function save() {
    setExporting(true);
    setProblem(undefined);
    try {
      const { data, error } = await fetchFile();
      if (data === undefined) throw error;
      saveFile(fileName, data);
    } catch (error) {
      setProblem(asApiError(error).sentence);
    }
    setExporting(false);
  }

  return (
    <>
      <p className="stale" role="status">
        {problem && `Export failed. ${problem}`}
      </p>
      <Button busy={isExporting} onClick={() => void save()}>
        <Icon name="table" />
        {isExporting ? 'Exporting...' : 'Export CSV'}
      </Button>
    </>
  );
}
