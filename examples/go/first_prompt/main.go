// The first prompt.
package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	body := `{"message": "Write a blog post about hiking in Iceland", "targetModel": "Claude Opus 5.5"}`
	request, err := http.NewRequest(http.MethodPost, os.Getenv("API")+"/prompts/generate", strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", rand.Text())

	client := http.Client{Timeout: 30 * time.Second}
	answer, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		log.Fatalln(answer.Status, string(content), err)
	}

	var made struct{ Data struct{ Prompt string } }
	if err := json.Unmarshal(content, &made); err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.Data.Prompt)
}
