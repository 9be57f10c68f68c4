import { vi } from 'vitest';

interface SavedFile {
  name: string;
  blob: Blob;
}

/** The files that the page hands to the browser as downloads from here on. */
export function watchSavedFiles(): SavedFile[] {
  const saved: SavedFile[] = [];
  let blob = new Blob();
  URL.createObjectURL = (made) => {
    blob = made as Blob;
    return 'blob:made';
  };
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, blob });
  });
  return saved;
}
