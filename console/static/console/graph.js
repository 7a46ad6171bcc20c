// The graph around a memory: colours by kind of memory, words by link, more by a click.
"use strict";

const place = document.getElementById("graph");
const most = Number(place.dataset.most);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const COLOURS = { state: css("--s0"), event: css("--s1"), knowledge: css("--s2") };
const seen = new Set();

const picture = cytoscape({
  container: place,
  style: [
    { selector: "node", style: { label: "data(label)", color: css("--ink"), "font-size": 10, "text-wrap": "wrap",
      "text-max-width": 120, "text-valign": "bottom", width: 18, height: 18, "background-color": "data(colour)" } },
    { selector: "node[?own]", style: { width: 30, height: 30, "border-width": 3, "border-color": css("--ink") } },
    { selector: "node[?old]", style: { opacity: 0.5 } },
    { selector: "edge", style: { width: 1.5, "line-color": css("--soft"), "target-arrow-color": css("--soft"),
      "target-arrow-shape": "triangle", "curve-style": "bezier", label: "data(label)", "font-size": 8, color: css("--soft") } },
    { selector: "edge[?why]", style: { "line-color": css("--s1"), "target-arrow-color": css("--s1"), width: 2.5 } },
  ],
});

const WHY = new Set(["because", "evidence", "derived_from", "contradicts", "supersedes", "replaces", "corrects", "ends"]);

async function grow(id, depth) {
  if (seen.has(id) || picture.nodes().length >= most) return;
  seen.add(id);
  const answer = await fetch(place.dataset.path.replace(place.dataset.memory, id) + `?depth=${depth}`);
  if (!answer.ok) return;
  const graph = await answer.json();
  const added = [];
  for (const node of graph.nodes) {
    if (picture.getElementById(node.id).length || picture.nodes().length + added.length >= most) continue;
    const words = node.content.length > 60 ? node.content.slice(0, 59) + "…" : node.content;
    added.push({ group: "nodes", data: { id: node.id, label: words, colour: COLOURS[node.card] || css("--soft"),
      own: node.id === place.dataset.memory, old: node.standing === "superseded", text: node.content } });
  }
  picture.add(added);
  for (const edge of graph.edges)
    if (!picture.getElementById(edge.id).length && picture.getElementById(edge.source).length &&
        picture.getElementById(edge.target).length)
      picture.add({ group: "edges", data: { id: edge.id, source: edge.source, target: edge.target,
        label: edge.type.replaceAll("_", " "), why: WHY.has(edge.type) } });
  picture.layout({ name: "cose", animate: false, randomize: seen.size === 1, nodeDimensionsIncludeLabels: true }).run();
  document.getElementById("graph-count").textContent = picture.nodes().length;
}

picture.on("tap", "node", (event) => {
  const node = event.target;
  const told = document.getElementById("graph-node");
  told.hidden = false;
  told.querySelector("p").textContent = node.data("text");
  told.querySelector("a").href = told.dataset.path.replace(place.dataset.memory, node.id());
  grow(node.id(), 1);
});

grow(place.dataset.memory, 2);
