/** The form in which managers say what is asked and what both ends of the scale are called. */

/** Sends the form where the page has one; the page is then shown anew. */
export function scaleForm(page) {
  const form = document.querySelector("#scale");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { question, high, low, points } = form.elements;
    const sent = { question: question.value, high: high.value, low: low.value, ...(points && { points: Number(points.value) }) };
    try {
      await page.call("POST", `stages/${page.config.stage.id}/scale/`, sent);
      location.reload();
    } catch (error) {
      form.querySelector("[role=alert]").textContent = error.message;
    }
  });
}
