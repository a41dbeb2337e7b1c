/** The next stage for a person once a stage has nothing left. */

/**
 * The first stage after this one, then before it, that has something left and that the person may open; null where none
 * has. `links`: those of the page, with the id of the stage in their address.
 *
 * @param {{ id: number, progress: { done: number, total: number } }[]} stages In the order of the project.
 * @param {{ url: string, name: string }[]} links
 * @param {number} here
 * @returns {{ url: string, name: string } | null}
 */
export function nextStage(stages, links, here) {
  const at = stages.findIndex(({ id }) => id === here);
  const inTurn = [...stages.slice(at + 1), ...stages.slice(0, Math.max(at, 0))];
  for (const { id, progress } of inTurn) {
    const link = progress.total > progress.done ? links.find(({ url }) => url.includes(`/stages/${id}/`)) : null;
    if (link) return link;
  }
  return null;
}
